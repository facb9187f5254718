import { jobMoments, killJobsAgainAndAgain } from '../../../support/jobKills';
import { runs } from '../../../support/runs';
import { setUpFolder } from '../../../support/temporaryFolder';

const kills = runs(2, 50);
// Where it is not known whether it was created, and where some of it is here.
const moments = runs(['creating', 'fetching'], jobMoments);

describe('batches whose window is killed', () => {
  const folder = setUpFolder();

  it(`are there once, created once and fetched whole, ${kills} kills later`, () =>
    killJobsAgainAndAgain(folder.path(), { kills, seed: 5, moments })).timeout(runs(120_000, 1_800_000));
});
