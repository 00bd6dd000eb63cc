/**
 * A name without the blanks around it, and with one blank for each run of them within: what is copied from a page has others, which look
 * alike and would make two types of one.
 */
export function plainName(name: string): string {
  return name.trim().replace(/\s+/gu, ' ');
}
