import { deepEqual, equal, ok } from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../support/until';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { type FilledDemo, startFilledDemo } from '../support/filledDemo';
import type { Services } from '../../src/services/services';
import { EditorChatPage } from '../../src/features/languageModel/editorChatPage';
import { createEditorModels } from '../../src/features/languageModel/editorModels';
import { createPageEnd, type PageEnd } from '../support/pageEnd';

describe('the VS Code Chat models page in the editor', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let end: PageEnd<'editorChat'>;
  let page: EditorChatPage;

  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({});
    await signInAnew(services, 'front', demo);
    await services.models.refresh();
  });
  beforeEach(() => {
    end = createPageEnd<'editorChat'>();
    const models = createEditorModels(services, () => undefined);
    page = new EditorChatPage(services, end.panel, async () => models);
  });
  afterEach(() => page.dispose());
  after(async () => {
    const chat = vscode.workspace.getConfiguration('chat');
    for (const name of ['utilityModel', 'utilitySmallModel'])
      if (chat.inspect(name)?.defaultValue !== undefined)
        await chat.update(name, undefined, vscode.ConfigurationTarget.Global);
    await services.settings.set('ghostText.mode', 'off');
    await beginAnew(services);
    await demo.close();
  });

  const choice = async (use: string) => {
    const { choices } = await end.page.call('editorChat/ready', {});
    return choices.find((one) => one.use === use);
  };

  it('has a model for each use that VS Code supports, before anything is chosen', async () => {
    const { choices } = await end.page.call('editorChat/ready', {});
    deepEqual(
      choices.map(({ use }) => use),
      ['chat', 'utility', 'suggestions'],
    );
    ok(choices[0]!.model !== '' && choices[0]!.models.length > 2);
    equal(choices[2]!.model, '');
  });

  it('pins the selected model, so VS Code offers it', async () => {
    const [, second] = (await choice('chat'))!.models;
    await end.page.call('editorChat/choose', { use: 'chat', model: second!.id });
    ok(services.models.state.pins.includes(second!.id));
    equal((await choice('chat'))?.model, second!.id);
  });

  it('sets the VS Code settings for utility tasks', async function () {
    const configuration = () => vscode.workspace.getConfiguration('chat');
    if (configuration().inspect('utilitySmallModel')?.defaultValue === undefined) {
      equal((await choice('utility'))?.isOffered, undefined);
      return;
    }
    const [first] = (await choice('utility'))!.models;
    await end.page.call('editorChat/choose', { use: 'utility', model: first!.id });
    await until(
      async () => (configuration().get<string>('utilitySmallModel')?.endsWith(`/${first!.id}`) ? true : undefined),
      'the setting',
    );
    equal((await choice('utility'))?.model, first!.id);
  });

  it('turns inline suggestions on with the chosen model, and off', async () => {
    const [, first] = (await choice('suggestions'))!.models;
    await end.page.call('editorChat/choose', { use: 'suggestions', model: first!.id });
    equal(services.settings.get('ghostText.mode'), 'automatic');
    equal((await choice('suggestions'))?.model, first!.id);
    await end.page.call('editorChat/choose', { use: 'suggestions', model: '' });
    equal(services.settings.get('ghostText.mode'), 'off');
  });
});
