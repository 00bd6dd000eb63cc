/** For a required field of text: blanks alone are as good as nothing. */

/** Has the browser say so, as it does of an empty one. @param {Event} event of the field */
export function refuseBlank({ currentTarget }) {
  const field = /** @type {HTMLTextAreaElement} */ (currentTarget);
  const isBlank = field.value !== '' && field.value.trim() === '';
  field.setCustomValidity(isBlank ? 'Please fill in this field: blanks alone say nothing.' : '');
}
