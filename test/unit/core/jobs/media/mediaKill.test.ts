import { killMediaAgainAndAgain, mediaMoments } from '../../../../support/mediaKills';
import { runs } from '../../../../support/runs';
import { setUpFolder } from '../../../../support/temporaryFolder';

const kills = runs(4, 40);
/** Where it is not known whether it was begun, where it is paid for and not here, and around the note of its charge. */
const telling: Readonly<Record<keyof typeof mediaMoments, readonly string[]>> = {
  image: ['submitting', 'fetching', 'paid', 'noted'],
  video: ['submitting', 'running', 'paid', 'noted'],
};
const moments = runs<typeof telling>(telling, mediaMoments);

describe('images and videos whose window is killed', () => {
  const folder = setUpFolder();

  for (const kind of ['image', 'video'] as const) {
    it(`are sent once, downloaded completely, and charged once after ${kills} kills (${kind})`, () =>
      killMediaAgainAndAgain(folder.path(), { kills, seed: 3, kind, moments: moments[kind] })).timeout(
      runs(120_000, 1_800_000),
    );
  }
});
