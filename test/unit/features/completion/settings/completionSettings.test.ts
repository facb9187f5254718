import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCompletionSettings } from '../../../../../src/features/completion/logic/completionSettings';
import { readCompletionFile } from '../../../../../src/features/completion/logic/settingsFile';
import { createJsonFile } from '../../../../../src/core/storage/storedFile';

describe('completion settings', () => {
  let folder: string;
  let profile = 'work';
  /** What the account in use does not have. */
  let lacking: readonly string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'completion-'));
    profile = 'work';
    lacking = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** As another window would open it. */
  const open = () =>
    createCompletionSettings(createJsonFile(join(folder, 'completion.json'), readCompletionFile), {
      profileId: () => profile,
      defaultModel: async () => 'vendor/default',
      lacks: async (model) => lacking.includes(model),
    });

  it('use the default model without parameters until some are set', async () => {
    const settings = open();
    assert.deepEqual(await settings.get(), { parameters: {} });
    assert.deepEqual(await settings.request({ prompt: 'p' }), { model: 'vendor/default', prompt: 'p' });
    await settings.set({ model: 'vendor/own', parameters: { n: 3 }, text: '{"n": 3, "later": 1}' });
    const other = open();
    assert.deepEqual(await other.get(), {
      model: 'vendor/own',
      parameters: { n: 3 },
      text: '{"n": 3, "later": 1}',
    });
    assert.deepEqual(await other.request({ prompt: 'p', parameters: { max_tokens: 8 } }), {
      model: 'vendor/own',
      prompt: 'p',
      n: 3,
      max_tokens: 8,
    });
  });

  it("include a model per account, and another account's only if this one might have it", async () => {
    const settings = open();
    await settings.set({ model: 'vendor/own', parameters: { n: 3 } });
    profile = 'home';
    assert.equal(await settings.model(), 'vendor/own');
    lacking = ['vendor/own'];
    assert.deepEqual(await settings.get(), { parameters: { n: 3 } });
    assert.equal(await settings.model(), 'vendor/default');
    await settings.set({ model: 'home/typed', parameters: { n: 4 } });
    lacking = ['vendor/own', 'home/typed'];
    assert.equal(await settings.model(), 'home/typed');
    profile = 'work';
    lacking = ['home/typed'];
    assert.deepEqual(await open().get(), { model: 'vendor/own', parameters: { n: 4 } });
    await settings.set({ parameters: {} });
    assert.equal(await settings.model(), 'vendor/default');
    profile = 'second';
    assert.equal(await open().model(), 'vendor/default');
    lacking = [];
    assert.equal(await open().model(), 'home/typed');
    await open().set({ parameters: {} });
    profile = 'third';
    lacking = [];
    assert.equal(await open().model(), 'vendor/default');
  });

  it('include rejected parameters per model and account until they are sent again', async () => {
    const settings = open();
    await settings.set({ parameters: { n: 2, seed: 1 } });
    await settings.refused('vendor/default', 'seed');
    await settings.refused('vendor/default', 'suffix');
    const other = open();
    assert.deepEqual(await other.notTaken('vendor/default'), ['seed', 'suffix']);
    assert.deepEqual(await other.request({ prompt: 'p', suffix: 's' }), {
      model: 'vendor/default',
      prompt: 'p',
      n: 2,
    });
    assert.deepEqual(await other.notTaken('vendor/other'), []);
    profile = 'home';
    assert.deepEqual(await other.notTaken('vendor/default'), []);
    profile = 'work';
    await other.allowed('vendor/default', 'seed');
    assert.deepEqual(await settings.notTaken('vendor/default'), ['suffix']);
  });

  it('store presets next to the values, and lose neither to simultaneous changes', async () => {
    const settings = open();
    let changes = 0;
    settings.onDidChange(() => changes++);
    await Promise.all([
      settings.savePreset('Terse', { max_tokens: 16 }),
      settings.set({ parameters: { top_k: 4 } }),
      settings.refused('m', 'n'),
      settings.savePreset('Free', { temperature: 1 }),
    ]);
    assert.equal(changes, 4);
    const [free, terse] = await settings.presets();
    assert.ok(free && terse);
    assert.deepEqual([free.name, terse.name], ['Free', 'Terse']);
    assert.deepEqual((await settings.get()).parameters, { top_k: 4 });
    assert.deepEqual(await settings.notTaken('m'), ['n']);
    assert.deepEqual(await settings.preset(terse.id), { max_tokens: 16 });
    await assert.rejects(settings.renamePreset(terse.id, 'Free'), /"Free" already exists/);
    await settings.renamePreset(terse.id, 'Short');
    await settings.deletePreset(free.id);
    assert.deepEqual(await settings.presets(), [{ id: terse.id, name: 'Short' }]);
    await assert.rejects(settings.preset(free.id), /no longer exists/);
  });

  it('drop invalid values from their file, and start over if it is another file', async () => {
    const settings = open();
    await settings.set({ parameters: { n: 2 } });
    const path = join(folder, 'completion.json');
    const saved = JSON.parse(await readFile(path, 'utf8')) as object;
    const file = readCompletionFile({ ...saved, setup: { model: 5, parameters: { n: 500, seed: 1 }, text: [] } });
    assert.deepEqual(file?.setup, { parameters: { seed: 1 } });
    assert.equal(readCompletionFile([]), undefined);
    assert.deepEqual(readCompletionFile({ presets: [], refused: [] })?.setup, { parameters: {} });
  });
});
