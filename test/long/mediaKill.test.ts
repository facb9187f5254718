import { killMediaAgainAndAgain } from '../support/mediaKills';
import { setUpFolder } from '../support/temporaryFolder';

describe('pictures and videos whose window is killed again and again', () => {
  const folder = setUpFolder();

  for (const kind of ['image', 'video'] as const) {
    it(`are sent once and fetched whole, 40 kills later (${kind})`, () =>
      killMediaAgainAndAgain(folder.path(), { kills: 40, seed: 40, kind }));
  }
});
