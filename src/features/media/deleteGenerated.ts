import type { MediaAssets } from '../../services/media/media';
import { inTurn } from './jobActions';
import { readGenerated } from './generatedFile';
import type { MediaQuestions } from './mediaQuestions';

/** Deletes generated files only; others are left to the Explorer. If the trash fails, asks whether to delete permanently. */
export async function deleteGenerated(
  files: readonly string[],
  assets: MediaAssets,
  questions: MediaQuestions,
): Promise<void> {
  for (const file of files) await readGenerated(file, assets);
  if (!(await questions.remove(files))) return;
  const left: string[] = [];
  const leave = (file: string) => (error: unknown) => {
    left.push(file);
    throw error;
  };
  try {
    await inTurn(files, (file) => assets.remove(file).catch(leave(file)));
  } catch (error) {
    if (await questions.removeForGood(left, error))
      await inTurn(left, (file) => assets.remove(file, { forGood: true }));
  }
}
