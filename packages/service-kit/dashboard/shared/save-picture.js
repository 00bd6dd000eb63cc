/** Saves a picture of the page as a file: a part of it as an SVG with its colours written into it, or a canvas as PNG. */

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
/** What words look like. There is no one attribute for all of it, and a page with its policy may write no style. */
const FONT = ['font-family', 'font-size', 'font-style', 'font-weight'];
/** What an SVG takes from style sheets, which a file has not. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  ...FONT,
  'overflow',
  'text-anchor',
  'visibility',
];
/** What is for the hand, or for screen readers, and no part of a picture. */
const NOT_DRAWN = 'button, input, select, details, .visually-hidden, svg';
const MARGIN_PX = 12;
/** Where the line of a text lies between top and bottom of its box. */
const BASELINE = 0.78;
const LEGEND_PX = { row: 20, swatch: 10, gap: 6, font: 12 };

/** What a colour stands for. @typedef {{ label: string, swatch: Element }} LegendEntry `swatch`: what has the colour as its background */

/** @param {string} name @param {Record<string, string | number>} attributes */
function element(name, attributes) {
  const made = document.createElementNS(SVG_NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

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

/** @param {SVGSVGElement} drawing @param {DOMRect} frame what it is drawn within */
function drawingAt(drawing, frame) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  writeStyles(drawing, copy);
  const { left, top, width, height } = drawing.getBoundingClientRect();
  const place = { x: left - frame.left, y: top - frame.top, width, height };
  for (const [name, value] of Object.entries(place)) copy.setAttribute(name, String(value));
  return copy;
}

/** The words of a part of the page, where they stand. @param {Element} part @param {DOMRect} frame */
function wordsOf(part, frame) {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const words = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const whole = node.textContent ?? '';
    const text = whole.trim();
    const parent = node.parentElement;
    if (text === '' || parent === null || parent.closest(NOT_DRAWN) !== null || !parent.checkVisibility()) continue;
    // A space around it moves it where it stands beside other words, and not at the edge of a line.
    const start = whole.indexOf(text);
    range.setStart(node, start);
    range.setEnd(node, start + text.length);
    const { left, top, height } = range.getBoundingClientRect();
    const computed = getComputedStyle(parent);
    const look = Object.fromEntries(FONT.map((name) => [name, computed.getPropertyValue(name)]));
    const place = { x: left - frame.left, y: top - frame.top + height * BASELINE };
    const word = element('text', { ...place, ...look, fill: computed.color });
    word.textContent = text;
    words.push(word);
  }
  return words;
}

/** What a picture lies on in the page: without it the pale words of the dark scheme are lost on a white page. */
const surface = () => getComputedStyle(document.documentElement).getPropertyValue('--surface').trim();

/** @param {HTMLCanvasElement} drawn @returns {Promise<Blob | null>} */
function pngBlob(drawn) {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [drawn.width, drawn.height];
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.fillStyle = surface();
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(drawn, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve));
}

/** Below each other, as wide as the longest needs. @param {readonly LegendEntry[]} entries @param {number} top */
function legendAt(entries, top) {
  const { row, swatch: side, gap, font } = LEGEND_PX;
  const { fontFamily, color } = getComputedStyle(document.body);
  const context = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
  context.font = `${font}px ${fontFamily}`;
  const left = MARGIN_PX + side + gap;
  const drawn = entries.flatMap(({ label, swatch }, at) => {
    const y = top + at * row;
    const fill = getComputedStyle(swatch).backgroundColor;
    const look = { 'font-family': fontFamily, 'font-size': `${font}px`, fill: color };
    const word = element('text', { x: left, y: y + side, ...look });
    word.textContent = label;
    return [element('rect', { x: MARGIN_PX, y, width: side, height: side, fill }), word];
  });
  const widest = Math.max(0, ...entries.map(({ label }) => context.measureText(label).width));
  return { drawn, width: left + widest + MARGIN_PX, height: entries.length * row };
}

/** @param {Element} part @param {readonly LegendEntry[]} legend */
function svgBlob(part, legend) {
  const box = part.getBoundingClientRect();
  const below = legendAt(legend, box.height + 2 * MARGIN_PX);
  const width = Math.max(box.width + 2 * MARGIN_PX, below.width);
  const height = box.height + 2 * MARGIN_PX + below.height;
  const frame = new DOMRect(box.left - MARGIN_PX, box.top - MARGIN_PX, width, height);
  const picture = element('svg', { width, height, viewBox: `0 0 ${width} ${height}` });
  picture.append(element('rect', { width: '100%', height: '100%', fill: surface() }));
  const drawings = part instanceof SVGSVGElement ? [part] : [...part.querySelectorAll('svg')];
  picture.append(...drawings.map((drawing) => drawingAt(drawing, frame)), ...wordsOf(part, frame), ...below.drawn);
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: 'image/svg+xml' });
}

/**
 * @param {Element} part of the page: a canvas, a drawing, or what holds drawings and words
 * @param {string} name of the file, without an ending
 * @param {{ legend?: readonly LegendEntry[] }} [more] `legend`: drawn below, where the page has it beside the part; not of a canvas
 */
export async function savePicture(part, name, { legend = [] } = {}) {
  const isCanvas = part instanceof HTMLCanvasElement;
  const blob = isCanvas ? await pngBlob(part) : svgBlob(part, legend);
  if (!(blob instanceof Blob)) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${name}.${isCanvas ? 'png' : 'svg'}`;
  link.click();
  URL.revokeObjectURL(link.href);
}
