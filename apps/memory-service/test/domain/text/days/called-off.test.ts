import { atOnce } from '@agent-faculties/service-kit';
import { describe, expect, test } from '@jest/globals';
import { dayMentionsInSteps } from '../../../../src/domain/text/days/named-days.ts';

/** A Sunday. */
const SAID = Date.UTC(2026, 10, 29, 12);
const told = (text: string) =>
  atOnce(dayMentionsInSteps(text, SAID)).map(
    ({ terms, isCalledOff }) => `${isCalledOff ? 'no ' : ''}${terms.join(' ')}`,
  );
const day = (date: string) => `on=2026-${date}`;

describe('what does not take place', () => {
  test.each([
    ['No meeting tomorrow.', ['no on=2026-11-30']],
    ['No stand-up on Friday', ['no on=2026-12-04']],
    ["There's no school on Monday, nor is there choir.", ['no on=2026-11-30']],
    ['On Friday there is no stand-up.', ['no on=2026-12-04']],
    ['Tomorrow: no yoga', ['no on=2026-11-30']],
    ['No meetings on Wednesdays', ['no every=3']],
    ['The stand-up on Thursday is cancelled.', ['no on=2026-12-03']],
    ["Thursday's demo has been canceled, we go skiing on Friday.", ['no on=2026-12-03', day('12-04')]],
    ['Cancelled: the stand-up on Thursday', ['no on=2026-12-03']],
    ["We called off Friday's retro.", ['no on=2026-12-04']],
    ['The demo on Thursday was cancelled.', ['no on=2026-11-26 on=2026-12-03']],
    ['Stand-ups on Thursday and Friday are cancelled.', ['no on=2026-12-03', 'no on=2026-12-04']],
    ['The retro on Thursday is cancelled and the demo on Friday stays.', ['no on=2026-12-03', day('12-04')]],
    ['The stand-up is cancelled today.', ['no on=2026-11-29']],
    ["We don't meet on Friday.", ['no on=2026-12-04']],
    ['The workshop on 3 December won’t take place.', ['no on=2026-12-03']],
    ["Let's skip Friday's stand-up.", ['no on=2026-12-04']],
    ["Thursday's demo moved to Mon 7 Dec.", ['no on=2026-12-03', day('12-07')]],
    ["Friday's review moved to Monday.", ['no on=2026-12-04', day('11-30')]],
    ['The meeting on Thursday is postponed to Friday.', ['no on=2026-12-03', day('12-04')]],
    ['The party was moved from Friday to Monday 7 December.', ['no on=2026-12-04', day('12-07')]],
    ['The party was moved from 3 to 5 December.', ['no on=2026-12-03', day('12-05')]],
    ['The party was moved from December 3 to 5, 2027.', ['no on=2027-12-03', 'on=2027-12-05']],
    ['The review was pushed from 1 December to 8 December.', ['no on=2026-12-01', day('12-08')]],
    ["We don't have choir on the 2nd and the 9th.", ['no on=2026-12-02 on=2026-12-09']],
    ["There won't be a class next Wednesday.", ['no on=2026-12-02']],
    ['Retro skipped this Friday', ['no on=2026-12-04']],
    ['Handover moved up from Fri to Thu', ['no on=2026-12-04', day('12-03')]],
    ['Rescheduled to Dec 3 (was Dec 2)', [day('12-03'), 'no on=2026-12-02']],
    ['Stand-up on Monday, no stand-up on Fridays', [day('11-30'), 'no every=5']],
    ['We meet on Friday instead of Thursday.', [day('12-04'), 'no on=2026-12-03']],
    ['It is on Monday, not on Tuesday.', [day('11-30'), 'no on=2026-12-01']],
    ['The office is open except on 24 December.', ['no on=2026-12-24']],
  ])('%j is called off: %j', (text, expected) => {
    expect(told(text)).toEqual(expected);
  });

  test.each([
    'No problem, tomorrow works.',
    'No worries, see you on Friday.',
    'I have no time tomorrow, and no plans on Friday.',
    'No answer from Ann by Friday',
    'No later than Friday',
    'No one comes on Friday.',
    'No, on Friday we meet.',
    'Cancel the trial by Friday.',
    'Our subscription is cancelled on 3 December.',
    'Tom cancelled on Friday.',
    'The match on Saturday is not cancelled.',
    'If it rains, the match on Saturday is cancelled.',
    'On Friday we moved to Bergen.',
    "Friday's review moved to the monastery.",
    'The meeting on Thursday is moved to 3 pm.',
    'The meeting on Thursday moved to the big room.',
    'We moved the review to Thursday.',
    'Why not Friday',
    'Dentist tomorrow at 9.',
  ])('%j calls nothing off', (text) => {
    expect(told(text).filter((one) => one.startsWith('no '))).toEqual([]);
  });
});
