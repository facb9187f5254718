import type { MediaAssets } from '../../platform/media';
import { readMade } from './madeFile';
import type { MediaQuestions } from './mediaQuestions';

/** Only what was made here: other files are the Explorer's to delete. Where there is no trash the person is asked again. */
export async function removeMade(
  file: string,
  assets: Pick<MediaAssets, 'read' | 'remove'>,
  questions: Pick<MediaQuestions, 'remove' | 'removeForGood'>,
): Promise<void> {
  await readMade(file, assets);
  if (!(await questions.remove(file))) return;
  try {
    await assets.remove(file);
  } catch (error) {
    if (await questions.removeForGood(file, error)) await assets.remove(file, { forGood: true });
  }
}
