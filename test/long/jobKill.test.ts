import { killJobsAgainAndAgain } from '../support/jobKills';
import { setUpFolder } from '../support/temporaryFolder';

describe('batches whose window is killed again and again', () => {
  const folder = setUpFolder();

  it('are there once, created once and fetched whole, 50 kills later', () =>
    killJobsAgainAndAgain(folder.path(), { kills: 50, seed: 50 }));
});
