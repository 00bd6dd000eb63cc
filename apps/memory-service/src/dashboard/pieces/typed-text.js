/** Fields that are drawn anew while somebody types in them. */

/**
 * The text that a field is to show. What it holds stays where it is not sent yet, or means the same but for blanks at its ends.
 * @param {Element} section @param {string} id @param {string} sent @param {{ isTyping: boolean }} how
 */
export function typedText(section, id, sent, { isTyping }) {
  const field = /** @type {HTMLInputElement | null} */ (section.querySelector(`#${id}`));
  return field !== null && (isTyping || field.value.trim() === sent) ? field.value : sent;
}
