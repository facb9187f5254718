import { jobMoments, killJobsAgainAndAgain } from '../../../support/jobKills';
import { runs } from '../../../support/runs';
import { setUpFolder } from '../../../support/temporaryFolder';

const kills = runs(2, 50);
// Where it is not known whether it was created, and where some of it is here.
const moments = runs(['creating', 'fetching'], jobMoments);

describe('batches whose window is killed', () => {
  const folder = setUpFolder();

  it(`exist once, created once and downloaded completely, after ${kills} kills`, () =>
    killJobsAgainAndAgain(folder.path(), { kills, seed: 5, moments })).timeout(runs(120_000, 1_800_000));
});
