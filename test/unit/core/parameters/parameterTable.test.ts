import assert from 'node:assert/strict';
import { checkRequest, withOwn } from '../../../../src/core/api/bounds';
import type { Bounds } from '../../../../src/core/api/bounds';
import { completionBounds } from '../../../../src/core/api/completions/completions.bounds';
import { completionRequest } from '../../../../src/core/api/completions/completions.schema';
import { messageBounds } from '../../../../src/core/api/messages/messages.bounds';
import { messageRequest } from '../../../../src/core/api/messages/messages.schema';
import { completionsAt } from '../../../../src/core/batch/assist/complete';
import { describeAt } from '../../../../src/core/batch/assist/describe';
import { requestSchema } from '../../../../src/core/batch/assist/requestSchema';
import { readLine } from '../../../../src/core/batch/readLine';
import { LineScanner } from '../../../../src/core/batch/scan/lineScanner';
import { capabilitiesOf } from '../../../../src/core/capabilities/modelCapabilities';
import {
  readCompletionParameters,
  refusedName,
  toCompletionRequest,
} from '../../../../src/core/completion/completionParameters';
import { formOfParameters, writeForm } from '../../../../src/core/completion/parameterForm';
import { readParameterText } from '../../../../src/core/completion/parameterText';
import {
  readChatParameters,
  refusedParameter,
  requestParameters,
} from '../../../../src/core/conversation/chatParameters';
import { toBatchLine } from '../../../../src/core/api/chat/toChatCompletion';
import { readModelOptions } from '../../../../src/core/editorChat/chatRequest';
import { acceptedAt, numberField, numbersAt } from '../../../../src/core/parameters/parameterTable';
import type { Endpoint, NumberAt } from '../../../../src/core/parameters/parameterTable';
import { parameterTexts } from '../../../../src/core/parameters/parameterTexts';
import { vendorRules } from '../../../../src/core/profiles/vendorRules';
import { promptParameters } from '../../../../src/core/prompts/prompt';
import { readPrompt } from '../../../../src/core/prompts/readPrompt';
import { writePrompt } from '../../../../src/core/prompts/writePrompt';
import { parameterCalls } from '../../../../src/protocol/chatParameters';
import { readForm, toForm } from '../../../../src/features/chat/logic/parameterService';
import { completionCalls } from '../../../../src/protocol/completion';
import { createCompletionHost } from '../../../support/completionHost';
import { createParameters } from '../../../support/parametersHost';

const context = { signal: new AbortController().signal, emit: () => undefined as never };
const messages = [{ role: 'user' as const, content: 'Hello' }];
const own = vendorRules.bounds;

/** A value that the endpoint accepts without a warning. */
function valueOf(where: Endpoint, name: NumberAt<Endpoint>): number {
  const { min = 0, max = Infinity, advised } = acceptedAt(where, name, own);
  const [least, most] = [advised?.min ?? min, advised?.max ?? max];
  return numberField(name).values.find((value) => value >= least && value <= most) ?? Math.max(1, least);
}

/** Values beyond the bounds of the endpoint, each with the rule it breaks. */
function beyond(where: Endpoint, name: NumberAt<Endpoint>): readonly (readonly [number, string])[] {
  const { min, max, integer } = acceptedAt(where, name, own);
  return [
    ...(min === undefined ? [] : [[min - 1, 'min'] as const]),
    ...(max === undefined ? [] : [[max + 1, 'max'] as const]),
    ...(integer ? [[valueOf(where, name) + 0.5, 'integer'] as const] : []),
  ];
}

/** Each reader is driven over every number of the table, so one that does not know an entry fails here. */
describe('the table of model parameters', () => {
  const requests = {
    messages: [{ model: 'm', messages }, messageRequest, messageBounds],
    completions: [{ model: 'm', prompt: 'x' }, completionRequest, completionBounds],
  } as const;
  for (const where of ['messages', 'completions'] as const) {
    const [request, schema, bounds] = requests[where];
    const check = (name: string, value: number) =>
      checkRequest({ ...request, [name]: value }, schema, withOwn(bounds as Bounds<object>, own[where]));
    const isRule = (name: string, rule: string) => (error: unknown) => {
      const { issue } = (error as { readonly details: { readonly issue: { parameter: string; rule: string } } })
        .details;
      return issue.parameter === name && issue.rule === rule;
    };
    const all = [...new Set((['messages', 'chatCompletions', 'completions', 'batch'] as const).flatMap(numbersAt))];
    for (const name of all) {
      const known = numbersAt(where).find((one) => one === name);
      it(`${known ? 'allows' : 'rejects'} ${name} in a request of ${where}`, () => {
        if (!known) return assert.throws(() => check(name, 1), isRule(name, 'unknown'));
        check(name, valueOf(where, known));
        for (const [value, rule] of beyond(where, known)) {
          assert.throws(() => check(name, value), isRule(name, rule), `${value}`);
        }
      });
    }
  }

  for (const name of numbersAt('chat')) {
    const value = valueOf('chat', name);
    const set = { [name]: value };
    const isOwn = numbersAt('messages').some((one) => one === name);
    // What a request of messages has it as.
    const sent = isOwn ? set : { thinking: { type: 'enabled', budget_tokens: value } as const };

    it(`has ${name} in the chat panel, its storage, and its requests`, async () => {
      const { numbers } = toForm({});
      assert.deepEqual(Object.keys(numbers), numbersAt('chat'));
      const form = { ...toForm({}), numbers: { ...numbers, [name]: String(value) } };
      assert.deepEqual(readForm(form), { parameters: set, issues: [] });
      assert.deepEqual(toForm(set).numbers[name], String(value));
      assert.ok(parameterCalls['chat/setParameters'].safeParse({ model: 'm', form }).success);
      const { memory, handlers } = createParameters();
      const state = await handlers['chat/setParameters']({ model: 'm', form }, context);
      assert.deepEqual([memory.set, state.count, state.issues, state.warnings], [set, 1, {}, {}]);
      assert.ok(name in state.hints || name in state.defaults);
      assert.deepEqual(readChatParameters(JSON.parse(JSON.stringify(set))), set);
      assert.deepEqual(requestParameters(set, { notTaken: [], editorTools: [], instructions: '' }), sent);
      for (const [typed] of beyond('chat', name)) {
        const { issues } = readForm({ ...form, numbers: { [name]: String(typed) } });
        assert.deepEqual(
          issues.map((issue) => issue.name),
          [name],
        );
      }
    });

    it(`doesn't send ${name} to a model that rejects it`, async () => {
      assert.equal(refusedParameter({ message: `The model does not support \`${name}\`.` }, sent), name);
      assert.equal(refusedParameter({ message: 'No.', parameter: name }, sent), name);
      const { handlers } = createParameters();
      const state = await handlers['chat/withoutParameter']({ parameter: name, model: 'm' }, context);
      assert.deepEqual(Object.keys(state.notTaken), [name]);
      assert.deepEqual(requestParameters(set, { notTaken: [name], editorTools: [], instructions: '' }), {});
    });

    it(`has ${name} in prompt files, with a description`, () => {
      assert.ok(promptParameters.includes(name));
      const file = writePrompt({ parameters: set, text: 'Hello' });
      assert.match(file, new RegExp(`^parameters:\n {2}${name}: `, 'm'));
      const { prompt, problems } = readPrompt(file);
      assert.deepEqual([prompt.parameters, problems], [set, []]);
      const [[other] = [undefined]] = beyond('chat', name);
      const [problem] = readPrompt(file.replace(`${name}: ${value}`, `${name}: ${other}`)).problems;
      assert.equal(problem?.code, 'parameter.out-of-bounds');
      assert.match(parameterTexts[name](), /\.$/);
    });

    it(`has ${name} among the options of VS Code's models, and in batch lines that support it`, () => {
      if (isOwn) assert.deepEqual(readModelOptions(set, capabilitiesOf('m', {})), set);
      const { body } = JSON.parse(toBatchLine({ model: 'm', messages, ...sent }, 'a')) as {
        readonly body: Readonly<Record<string, unknown>>;
      };
      assert.equal(body[name], numbersAt('batch').some((one) => one === name) ? value : undefined);
    });
  }

  it('warns of a parameter in a chat or a prompt that the model might not support', async () => {
    const advised: { models?: RegExp } = own.chat?.['top_k']?.advised ?? {};
    advised.models = /qwen/i;
    try {
      const { handlers } = createParameters();
      const warned = async (model: string) => {
        const form = toForm({ top_k: 20, top_p: 0.9 });
        const { warnings } = await handlers['chat/setParameters']({ model, form }, context);
        const file = `---\nmodel: ${model}\nparameters: { top_k: 20, top_p: 0.9 }\n---\nHello`;
        return [Object.keys(warnings), readPrompt(file).problems.map(({ code, name }) => `${code} ${name}`)];
      };
      assert.deepEqual(await warned('vendor/one'), [['top_k'], ['parameter.unusual top_k']]);
      assert.deepEqual(await warned('Qwen/Qwen3-8B'), [[], []]);
    } finally {
      delete advised.models;
    }
  });

  for (const name of numbersAt('batch')) {
    const value = valueOf('batch', name);
    const line = (number: unknown) =>
      JSON.stringify({
        custom_id: 'a',
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model: 'm', messages, [name]: number },
      });

    it(`completes, describes, and checks ${name} in a batch file`, () => {
      const text = '{"body":{}}';
      const offered = completionsAt({ text, offset: text.indexOf('}'), models: [] }).find(
        ({ label }) => label === name,
      );
      assert.equal(offered?.about, parameterTexts[name]());
      const described = describeAt(line(value), line(value).indexOf(`"${name}"`) + 1);
      assert.equal(described?.member?.about, parameterTexts[name]());
      assert.ok(JSON.stringify(requestSchema()).includes(`"${name}":{`));
      assert.deepEqual(readLine(line(value)).problems, []);
      for (const [number] of beyond('batch', name)) {
        assert.deepEqual(
          readLine(line(number)).problems.map(({ code }) => code),
          ['parameter.out-of-bounds'],
        );
      }
    });

    it(`reads ${name} without a full check of its line`, () => {
      const scan = (text: string) => {
        const scanner = new LineScanner(1 << 16);
        scanner.buffer.write(`${text}\n`);
        return scanner.read(0);
      };
      assert.equal(scan(line(value)), line(value).length);
      for (const [number] of beyond('batch', name)) assert.equal(scan(line(number)), -1);
    });
  }

  for (const name of numbersAt('completions')) {
    const value = valueOf('completions', name);
    const set = { [name]: value };

    it(`has ${name} on the page for completions, in its JSON, its storage, and its requests`, async () => {
      const form = formOfParameters(set);
      assert.equal(form.numbers[name], String(value));
      assert.ok(completionCalls['completion/setForm'].safeParse({ form }).success);
      assert.deepEqual(readParameterText(writeForm('', form)).parameters, set);
      assert.deepEqual(readParameterText(JSON.stringify(set)).issues, []);
      const host = createCompletionHost();
      const view = await host.handlers['completion/setForm']({ form }, context);
      assert.ok(view.numbers.some((one) => one.name === name));
      assert.deepEqual([view.count, view.issues, view.warnings], [1, {}, {}]);
      assert.equal((JSON.parse(view.preview) as Readonly<Record<string, unknown>>)[name], value);
      assert.deepEqual(readCompletionParameters(JSON.parse(JSON.stringify(set))), set);
    });

    it(`doesn't send ${name} to a completion model that rejects it`, () => {
      const terms = { model: 'm', prompt: 'x', parameters: set };
      const request = toCompletionRequest({ ...terms, refused: [] });
      assert.equal(request[name], value);
      assert.equal(refusedName({ message: `The model does not support \`${name}\`.` }, request), name);
      assert.equal(toCompletionRequest({ ...terms, refused: [name] })[name], undefined);
    });
  }
});
