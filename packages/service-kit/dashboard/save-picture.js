/** Saves a drawing of the page as a file: an SVG with its colours written into it, or a canvas as PNG. */

/** What an SVG takes from style sheets, which a file has not. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'font',
  'text-anchor',
  'visibility',
];

/** @param {Element} drawn @param {Element} copy */
function writeStyles(drawn, copy) {
  const computed = getComputedStyle(drawn);
  for (const name of STYLES) {
    const value = computed.getPropertyValue(name);
    if (value !== '') copy.setAttribute(name, value);
  }
  for (const [at, child] of [...drawn.children].entries()) {
    const twin = copy.children[at];
    if (twin) writeStyles(child, twin);
  }
}

/** @param {SVGSVGElement} drawing */
function svgBlob(drawing) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  writeStyles(drawing, copy);
  const { width, height } = drawing.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', getComputedStyle(document.documentElement).getPropertyValue('--surface').trim());
  // A drawing that stretches with the page has units of its own.
  if (!copy.hasAttribute('viewBox')) copy.prepend(ground);
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' });
}

/** @param {SVGSVGElement | HTMLCanvasElement} drawing @param {string} name of the file, without an ending */
export async function savePicture(drawing, name) {
  const isCanvas = drawing instanceof HTMLCanvasElement;
  const blob = isCanvas ? await new Promise((resolve) => drawing.toBlob(resolve)) : svgBlob(drawing);
  if (!(blob instanceof Blob)) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${name}.${isCanvas ? 'png' : 'svg'}`;
  link.click();
  URL.revokeObjectURL(link.href);
}
