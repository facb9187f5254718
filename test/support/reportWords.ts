import type { ReportWords } from '../../src/core/diagnosis/report';

/** Words of a report in which nothing could be mistaken for what was planted. */
export const reportWords: ReportWords = {
  title: 'REPORT',
  introduction: 'READ',
  whatHappened: 'WHAT HAPPENED',
  whatHappenedAsks: 'SAY',
  versions: 'VERSIONS',
  account: 'ACCOUNT',
  network: 'NETWORK',
  settings: 'SETTINGS',
  counts: 'COUNTS',
  errors: 'ERRORS',
  calls: 'CALLS',
  yes: 'YES',
  no: 'NO',
  noSettings: 'NO SETTINGS',
  noCalls: 'NO CALLS',
  noErrors: 'NO ERRORS',
  onlyFailedCalls: 'ONLY CALLS',
  accountStatus: (status) => `STATUS ${status}`,
  profile: ({ host, isActive, key }) => `PROFILE ${host} ${isActive} ${key}`,
  setting: (fact) => JSON.stringify(fact),
};
