import type { Scene } from '../scene';

export const walkthrough: Scene = async ({ desk, hideSideBar, makeHigher }) => {
  const { page } = desk;
  await makeHigher(80);
  await hideSideBar();
  await desk.command('Inference Desk: Get Started');
  const step = page.locator('.getting-started-step', { hasText: 'Check a batch file' });
  await step.waitFor();
  await step.click();
  return () => step.locator('.button-container .monaco-button, .step-description-container').first().waitFor();
};
