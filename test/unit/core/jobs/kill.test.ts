import { killJobsAgainAndAgain } from '../../../support/jobKills';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('batches whose window is killed', () => {
  const folder = setUpFolder();

  it('are there once, created once and fetched whole, 6 kills later', () =>
    killJobsAgainAndAgain(folder.path(), { kills: 6, seed: 5 })).timeout(120_000);
});
