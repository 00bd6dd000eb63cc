// Draws a tree of calls as a flame graph (SVG): the width of a call is its time, those that it calls stand on it. The title of each
// shows with the pointer on it.
const WIDTH = 1_600;
const ROW = 17;
const CHARACTER = 6.6;
/** Calls that are narrower are left out. */
const NARROWEST = 0.3;

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export function flameGraph(tree, caption) {
  const boxes = [];
  let depth = 0;
  const place = (call, x, level) => {
    const width = (call.total / tree.total) * WIDTH;
    if (width < NARROWEST) return;
    depth = Math.max(depth, level);
    boxes.push({ call, x, level, width });
    let at = x;
    for (const child of call.children) {
      place(child, at, level + 1);
      at += (child.total / tree.total) * WIDTH;
    }
  };
  place(tree, 0, 0);
  const height = (depth + 3) * ROW;
  const drawn = boxes.map(({ call, x, level, width }) => {
    const y = height - (level + 1) * ROW;
    const share = `${((100 * call.total) / tree.total).toFixed(1)} %`;
    const shown = call.name.slice(0, Math.max(0, Math.floor(width / CHARACTER) - 1));
    return [
      `<g><title>${escaped(`${call.name}: ${share} of the time, ${(call.total / 1e3).toFixed(0)} ms; ${call.library}`)}</title>`,
      `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colour(call.library)}"/>`,
      shown.length > 2 ? `<text x="${(x + 3).toFixed(1)}" y="${y + ROW - 5}">${escaped(shown)}</text>` : '',
      '</g>',
    ].join('');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="11">
<rect width="100%" height="100%" fill="#fff"/><text x="3" y="${ROW - 4}">${escaped(caption)}</text>
${drawn.join('\n')}
</svg>
`;
}

/** A library has the same colour everywhere. */
function colour(library) {
  const hash = [...library].reduce((sum, character) => (sum * 31 + character.codePointAt(0)) % 3_600, 7);
  return `hsl(${hash % 360} 65% ${70 + (hash % 3) * 5}%)`;
}
