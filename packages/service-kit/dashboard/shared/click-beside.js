/** Closing a dialog by a click beside it. */

/**
 * A click on the backdrop is one on the dialog, and so is one on its own empty room, or one that began on words in it and ended beside
 * it, as where they are marked: neither of these closes it. It can be refused as Escape can, by the event `cancel`.
 * @param {HTMLDialogElement} dialog
 */
export function closeByClickBeside(dialog) {
  const isBeside = (/** @type {MouseEvent} */ { target, clientX, clientY }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
  };
  let beganBeside = false;
  dialog.addEventListener('pointerdown', (event) => {
    beganBeside = isBeside(event);
  });
  dialog.addEventListener('click', (event) => {
    if (!beganBeside || !isBeside(event)) return;
    if (dialog.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close();
  });
}
