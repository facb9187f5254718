import { until } from '../../support/until';
import type { Scene } from '../scene';

export const voice: Scene = async ({ desk, demo, showViews }) => {
  const { editorPage } = desk;
  await demo.addVoice('Narrator');
  await demo.addVoice('Shop-assistant');
  await showViews('Voices');
  await desk.widenSideBar(270);
  await desk.viewAction('Voices', 'Refresh');
  const view = await desk.openView('Voices');
  await view.locator('.monaco-list-row', { hasText: 'Narrator' }).first().click();
  await editorPage.getByRole('heading', { name: 'Narrator' }).waitFor();
  await editorPage.getByRole('textbox', { name: /Voice owner/ }).fill('My own, recorded in May');
  await editorPage.getByRole('checkbox', { name: 'I have permission to use this voice' }).check();
  await editorPage.getByText('Edited now').waitFor();
  await editorPage
    .getByRole('textbox', { name: 'Text', exact: true })
    .fill('Good evening. The shop closes in ten minutes.');
  await editorPage.getByRole('button', { name: 'Generate Speech', exact: true }).click();
  const takes = editorPage.locator('.voice-take');
  await takes.first().waitFor();
  const audio = takes.first().locator('audio');
  await audio.evaluate((element) => (element as HTMLAudioElement).load());
  return async () => {
    await until(
      () => audio.evaluate((element) => ((element as HTMLAudioElement).duration > 0 ? true : undefined)),
      'how long it takes',
    );
  };
};
