import assert from 'node:assert/strict';
import { formOfParameters } from '../../../../../src/core/completion/parameterForm';
import { completionCalls } from '../../../../../src/protocol/completion';
import { createCompletionHost } from '../../../../support/completionHost';

const context = { signal: new AbortController().signal, emit: () => undefined as never };

describe('the page for completion parameters on the host', () => {
  it('accepts only valid values from the page', () => {
    const fits = (method: keyof typeof completionCalls, params: unknown) =>
      completionCalls[method].safeParse(params).success;
    const form = formOfParameters({ n: 2, stop: ['a'], logit_bias: { 1: 2 } });
    assert.ok(fits('completion/setForm', { form }));
    assert.ok(!fits('completion/setForm', { form: { ...form, model: 'x' } }));
    assert.ok(!fits('completion/setForm', { form: { ...form, n: 2 } }));
    assert.ok(!fits('completion/setForm', { form: { ...form, logit_bias: [{ token: '1' }] } }));
    assert.ok(!fits('completion/setText', { text: 5 }));
    assert.ok(fits('completion/sendAgain', { name: 'suffix' }));
    assert.ok(!fits('completion/run', { way: 'workbench.action.quit' }));
    assert.ok(!fits('completion/savePreset', { name: ' ' }));
    assert.ok(!fits('completion/applyPreset', { id: '' }));
  });

  it('ignores unknown parameters', async () => {
    const { handlers, settings } = createCompletionHost({ parameters: { n: 2 } });
    const form = formOfParameters({ n: 3 });
    await handlers['completion/setForm']({ form: { ...form, numbers: { ...form.numbers, prompt: '5' } } }, context);
    await handlers['completion/sendAgain']({ name: 'prompt' }, context);
    assert.deepEqual(await settings.get(), { parameters: { n: 3 } });
  });

  it('keeps invalid text next to its last valid values until a new value is set', async () => {
    const { handlers, settings } = createCompletionHost({ parameters: { n: 2 } });
    const broken = await handlers['completion/setText']({ text: '{"n": 3' }, context);
    assert.deepEqual(
      [broken.isBroken, broken.text, broken.form.numbers['n'], broken.count, broken.textIssues.length],
      [true, '{"n": 3', '2', 1, 1],
    );
    await handlers['completion/setModel']({ model: ' vendor/x ' }, context);
    await handlers['completion/savePreset']({ name: 'Two' }, context);
    assert.deepEqual(await settings.get(), { model: 'vendor/x', parameters: { n: 2 }, text: '{"n": 3' });
    // The form cannot be written into it.
    await handlers['completion/setForm']({ form: formOfParameters({ n: 9 }) }, context);
    assert.deepEqual((await settings.get()).parameters, { n: 2 });
    const mended = await handlers['completion/setText']({ text: '{"n": 3}' }, context);
    assert.deepEqual([mended.isBroken, mended.form.numbers['n'], mended.count], [false, '3', 1]);
    await handlers['completion/applyPreset']({ id: mended.presets[0]!.id }, context);
    assert.deepEqual(await settings.get(), { model: 'vendor/x', parameters: { n: 2 } });
  });

  it('leaves the model to the service if none is set, and previews the request', async () => {
    const { automatic, preview } = await createCompletionHost({ defaultModel: '' }).view();
    assert.equal(automatic, '');
    assert.deepEqual(JSON.parse(preview), {
      model: '<no model selected>',
      prompt: 'Once upon a time',
      stream: true,
    });
  });
});
