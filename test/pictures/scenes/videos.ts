import { until } from '../../support/until';
import type { Scene } from '../scene';

export const videos: Scene = async ({ desk, hideSideBar }) => {
  const { editorPage } = desk;
  await hideSideBar();
  await desk.command('Inference Desk: Open Videos');
  const prompt = editorPage.getByRole('textbox', { name: 'Prompt', exact: true });
  for (const text of ['A paper boat in the rain, slow and close', 'Waves below the mountains at dusk']) {
    await prompt.fill(text);
    await prompt.press('Control+Enter');
    const job = editorPage.locator('.video-job', { hasText: text });
    await job.locator('.video-job-word', { hasText: 'Done' }).waitFor({ timeout: 80_000 });
  }
  const player = editorPage.locator('.player-video');
  await player.first().waitFor();
  // Not its first frame, which is mostly sky.
  await player.first().evaluate((video) => void ((video as HTMLVideoElement).currentTime = 1.5));
  return async () => {
    await until(
      () => player.first().evaluate((video) => ((video as HTMLVideoElement).seeking ? undefined : true)),
      'a frame',
    );
  };
};
