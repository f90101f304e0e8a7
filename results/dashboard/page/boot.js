// The modules of the page stand in it as text. An import map gives each its name, so that they import one another here as
// they do from files.
const imports = {};
for (const {dataset, textContent} of document.querySelectorAll('script[data-module]')) {
  imports[dataset.module] = URL.createObjectURL(new Blob([textContent], {type: 'text/javascript'}));
}
const map = document.createElement('script');
map.type = 'importmap';
map.textContent = JSON.stringify({imports});
document.head.append(map);
import('#page/main.mjs');
