import assert from 'node:assert/strict';
import { readParameterFile, toForm } from '../../../../src/features/chat/logic/parameterService';
import { parameterCalls } from '../../../../src/protocol/chatParameters';
import { createParameters } from '../../../support/parametersHost';

const model = 'vendor/one';
const context = { signal: new AbortController().signal, emit: () => undefined as never };

describe('the chat parameters on the host', () => {
  it('accepts valid values, and explains the others at their fields', async () => {
    const { handlers, memory } = createParameters();
    const form = toForm({ top_k: 80, temperature: 9, prefill: '{' });
    const state = await handlers['chat/setParameters']({ model, form }, context);
    assert.deepEqual(memory.set, { top_k: 80, prefill: '{' });
    assert.deepEqual(
      [state.count, state.issues, state.warnings],
      [
        2,
        { temperature: "temperature can't be greater than 2. The value is 9. This value isn't sent." },
        { top_k: "top_k can't be greater than 50. The value is 80. The service might reject this value." },
      ],
    );
    assert.equal(state.defaults['max_tokens'], 'Defaults to 4,096 tokens for one');
    const { temperature, top_p, top_k } = state.hints;
    assert.deepEqual([temperature, top_p, top_k], ['0 to 2', '0.1 to 1', '0 to 50']);
  });

  it('saves, applies, renames, and deletes presets', async () => {
    const { handlers, memory } = createParameters();
    memory.set = { system: 'Be brief.', temperature: 0 };
    const saved = await handlers['chat/savePreset']({ model, name: ' Terse ' }, context);
    const [{ id, name } = { id: '', name: '' }] = saved.presets;
    assert.equal(name, 'Terse');
    memory.set = { max_tokens: 5 };
    await handlers['chat/savePreset']({ model, name: 'Short' }, context);
    const applied = await handlers['chat/applyPreset']({ model, id }, context);
    assert.deepEqual([memory.set, applied.count], [{ system: 'Be brief.', temperature: 0 }, 2]);
    await assert.rejects(
      handlers['chat/renamePreset']({ model, id, name: 'Short' }, context),
      /"Short" already exists/,
    );
    const renamed = await handlers['chat/renamePreset']({ model, id, name: 'Brief' }, context);
    assert.deepEqual(
      renamed.presets.map(({ name }) => name),
      ['Brief', 'Short'],
    );
    const left = await handlers['chat/deletePreset']({ model, id }, context);
    assert.deepEqual(
      left.presets.map(({ name }) => name),
      ['Short'],
    );
    await assert.rejects(handlers['chat/applyPreset']({ model, id }, context), /no longer exists/);
  });

  it('replaces a preset that is saved again', async () => {
    const { desk, handlers } = createParameters();
    await desk.savePreset('Mine', { top_k: 1 });
    await desk.savePreset('Mine', { top_k: 2 });
    const { presets } = await handlers['chat/parameters']({ model }, context);
    assert.deepEqual(await Promise.all(presets.map(({ id }) => desk.preset(id))), [{ top_k: 2 }]);
  });

  it('remembers rejected parameters for the model until they are sent again', async () => {
    const { desk, handlers, memory } = createParameters();
    memory.set = { top_k: 80, temperature: 1 };
    const state = await handlers['chat/withoutParameter']({ model, parameter: 'top_k' }, context);
    assert.deepEqual(
      [state.count, state.warnings, state.notTaken],
      [1, {}, { top_k: "one doesn't support this parameter, so it isn't sent." }],
    );
    assert.deepEqual(state.form.numbers['top_k'], '80');
    assert.deepEqual(await desk.notTaken(model), ['top_k']);
    assert.deepEqual(await desk.notTaken('vendor/two'), []);
    const again = await handlers['chat/withParameter']({ model, parameter: 'top_k' }, context);
    assert.deepEqual([again.count, again.notTaken, memory.file?.refused], [2, {}, []]);
  });

  it("has no reasoning fields if the model doesn't support it, and keeps values for others", async () => {
    const { desk, handlers, memory } = createParameters(undefined, (asked) =>
      asked === model ? ['enable_thinking', 'thinking_budget'] : [],
    );
    const set = { enable_thinking: true, thinking_budget: 500 };
    memory.set = set;
    const { form, count } = await handlers['chat/parameters']({ model }, context);
    assert.deepEqual([form.enable_thinking, form.numbers['thinking_budget'], count], [undefined, undefined, 0]);
    assert.deepEqual(await desk.notTaken(model), ['enable_thinking', 'thinking_budget']);
    const typed = { ...form, numbers: { ...form.numbers, temperature: '1' } };
    assert.equal((await handlers['chat/setParameters']({ model, form: typed }, context)).count, 1);
    assert.deepEqual(memory.set, { ...set, temperature: 1 });
    const other = await handlers['chat/parameters']({ model: 'vendor/two' }, context);
    assert.deepEqual(
      [other.form.enable_thinking, other.form.numbers['thinking_budget'], other.count],
      ['on', '500', 3],
    );
    const cleared = { ...other.form, enable_thinking: '' as const, numbers: {} };
    await handlers['chat/setParameters'](
      { model: 'vendor/two', form: { ...cleared, numbers: { thinking_budget: '' } } },
      context,
    );
    assert.deepEqual(memory.set, {});
  });

  it("omits tools where they don't work, until the user sends them again", async () => {
    const { desk, handlers, memory } = createParameters();
    memory.withoutTools.add(model);
    memory.set = { tools: [{ source: 'editor', name: 'search' }], top_k: 3 };
    assert.deepEqual(await desk.notTaken(model), ['tools']);
    assert.deepEqual(await desk.notTaken('vendor/two'), []);
    const before = await handlers['chat/parameters']({ model }, context);
    assert.match(before.notTaken['tools'] ?? '', /doesn't support this parameter/);
    const after = await handlers['chat/withParameter']({ model, parameter: 'tools' }, context);
    assert.deepEqual(after.notTaken, {});
    assert.deepEqual(await desk.notTaken(model), []);
  });

  it('accepts only valid values from the page', () => {
    const fits = (method: keyof typeof parameterCalls, params: unknown) =>
      parameterCalls[method].safeParse(params).success;
    assert.ok(fits('chat/setParameters', { model, form: toForm({}) }));
    assert.ok(!fits('chat/setParameters', { model, form: { ...toForm({}), tools: '[]' } }));
    assert.ok(!fits('chat/setParameters', { model, form: { ...toForm({}), numbers: { top_k: 5 } } }));
    assert.ok(fits('chat/setParameters', { model, form: { ...toForm({}), numbers: {} } }));
    assert.ok(!fits('chat/savePreset', { model, name: '  ' }));
    assert.ok(!fits('chat/applyPreset', { model, id: '' }));
  });

  it('ignores unknown parameters', async () => {
    const { handlers, memory } = createParameters();
    const form = { ...toForm({}), numbers: { best_of: '5', top_k: '3' } };
    await handlers['chat/setParameters']({ model, form }, context);
    const { notTaken } = await handlers['chat/withoutParameter']({ model, parameter: 'messages' }, context);
    assert.deepEqual([memory.set, notTaken], [{ top_k: 3 }, {}]);
    assert.deepEqual(memory.file?.refused ?? [], []);
  });

  it('restores its own file, and ignores other files', () => {
    const file = {
      presets: [{ id: 'p', name: 'n', parameters: { top_k: 3, later: true } }],
      refused: [{ profile: 'w', model, parameters: ['top_k', 'later'] }],
    };
    assert.deepEqual(readParameterFile(file), {
      presets: [{ id: 'p', name: 'n', parameters: { top_k: 3 } }],
      refused: [{ profile: 'w', model, parameters: ['top_k'] }],
    });
    assert.equal(readParameterFile({ presets: 1 }), undefined);
  });
});
