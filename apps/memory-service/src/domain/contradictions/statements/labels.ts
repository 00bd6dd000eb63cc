/** Labels that name no thing: any text may follow them. */
const NO_LABEL =
  /^(?:to-?do|notes?|reminder|remember|idea|fact|fyi|tip|info|update|task|bug|fix|question|warning|error|decision|decided|agreed|lesson|learned|next|done|important|plan|status|example|also|ps)\b[^:=]{0,20}[:=]/i;

/** Whether a text may begin with what names a thing, and not with such a label. */
export function isLabel(text: string): boolean {
  return !NO_LABEL.test(text);
}
