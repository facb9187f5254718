import { killAgainAndAgain } from '../../../../support/localKills';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { withDemo } from '../../../demo/demoService';
import { runs } from '../../../../support/runs';

const kills = runs(3, 30);

describe('a run on this machine whose process is killed', () => {
  const files = setUpFolder();

  it(`resumes where it was, ${kills} times`, () =>
    withDemo((demo) => killAgainAndAgain(demo, files.path(), { kills, seed: 7 }))).timeout(runs(60_000, 1_800_000));
});
