import { killAgainAndAgain } from '../../../../support/localKills';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { withDemo } from '../../../demo/demoService';

describe('a run on this machine whose process is killed', () => {
  const files = setUpFolder();

  it('goes on where it was, 8 times', () =>
    withDemo((demo) => killAgainAndAgain(demo, files.path(), { kills: 8, seed: 7 }))).timeout(60_000);
});
