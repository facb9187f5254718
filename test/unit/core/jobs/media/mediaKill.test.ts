import { killMediaAgainAndAgain } from '../../../../support/mediaKills';
import { setUpFolder } from '../../../../support/temporaryFolder';

describe('pictures and videos whose window is killed', () => {
  const folder = setUpFolder();

  it('are sent once and fetched whole, 6 kills later, of pictures', () =>
    killMediaAgainAndAgain(folder.path(), { kills: 6, seed: 3, kind: 'image' })).timeout(120_000);

  it('are sent once and fetched whole, 6 kills later, of videos', () =>
    killMediaAgainAndAgain(folder.path(), { kills: 6, seed: 4, kind: 'video' })).timeout(120_000);
});
