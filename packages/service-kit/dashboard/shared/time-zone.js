/** Which time zone the times of a page are in. */

const offset = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'shortOffset' });

/** Such as "Europe/Berlin (UTC+1)", with the offset of that moment. @param {number} epochMs */
export function timeZoneText(epochMs) {
  const { timeZone } = offset.resolvedOptions();
  const part = offset.formatToParts(epochMs).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return timeZone === 'UTC' ? timeZone : `${timeZone} (${part.replace('GMT', 'UTC')})`;
}
