import { deepEqual, equal, ok } from 'node:assert/strict';
import { defaultSeverities, type ProblemCode } from '../../../../../src/core/batch/problem';
import {
  batchServiceNamed,
  batchServiceOf,
  withParts,
  withStated,
} from '../../../../../src/core/batch/services/batchServiceOf';
import type { BatchRules } from '../../../../../src/core/batch/services/batchRules';
import { batchServices, unknownService } from '../../../../../src/core/batch/services/batchServices';

describe('the batch rules of a service', () => {
  it('are found by its base URL', () => {
    const addresses: readonly (readonly [address: string | undefined, id: string])[] = [
      [undefined, 'siliconFlow'],
      ['https://api.siliconflow.com/v1', 'siliconFlow'],
      ['https://api.siliconflow.cn/v1', 'siliconFlow'],
      ['http://127.0.0.1:4711/demo/v1', 'siliconFlow'],
      ['https://api.openai.com/v1', 'openAi'],
      ['https://eu.api.openai.com/v1', 'openAi'],
      ['https://contoso.openai.azure.com/openai/v1', 'azure'],
      ['https://contoso.services.ai.azure.com/openai/v1', 'azure'],
      ['https://contoso.cognitiveservices.azure.com/openai', 'azure'],
      ['https://api.anthropic.com/v1', 'anthropic'],
      ['https://openrouter.ai/api/v1', 'openRouter'],
      ['https://open.bigmodel.cn/api/paas/v4', 'zhiPu'],
      ['https://api.z.ai/api/paas/v4', 'zhiPu'],
      ['https://dashscope.aliyuncs.com/compatible-mode/v1', 'dashScope'],
      ['https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'dashScope'],
      ['https://batch.dashscope.aliyuncs.com/compatible-mode/v1', 'dashScope'],
      ['https://w1.ap-southeast-1.maas.aliyuncs.com/compatible-mode/v1', 'dashScope'],
      ['https://api.together.xyz/v1', 'together'],
      ['https://api.together.ai/v1', 'together'],
      ['https://api.groq.com/openai/v1', 'groq'],
      ['https://api.mistral.ai/v1', 'mistral'],
      ['https://api.fireworks.ai/inference/v1', 'fireworks'],
      ['http://localhost:8000/v1', 'vllm'],
      ['http://127.0.0.1:8000/v1', 'vllm'],
    ];
    deepEqual(
      addresses.map(([address]) => batchServiceOf(address).id),
      addresses.map(([, id]) => id),
    );
  });

  it("don't apply to a host that only contains or ends with the name of another", () => {
    for (const address of [
      'https://api.openai.com.example/v1',
      'https://notapi.openai.com/v1',
      'https://gateway.example/api.openai.com/v1',
      'https://openai.azure.com.example/v1',
      'https://evildashscope.aliyuncs.com/v1',
      'http://localhost:11434/v1',
      'https://localhost:8000/v1',
      'no address',
    ]) {
      equal(batchServiceOf(address), unknownService, address);
    }
  });

  it('are found by name in any spelling', () => {
    for (const service of batchServices) {
      for (const name of [service.id, service.name, service.name.toUpperCase(), service.name.replaceAll(' ', '-')]) {
        equal(batchServiceNamed(name), service, name);
      }
    }
    equal(batchServiceNamed('unknown'), unknownService);
    equal(batchServiceNamed('nobody'), undefined);
    equal(batchServiceNamed(''), undefined);
  });

  it('use the limits from rejections if they are lower', () => {
    const [openAi, mistral] = [batchServiceNamed('openai')!, batchServiceNamed('mistral')!];
    equal(withStated(openAi, {}), openAi);
    equal(withStated(openAi, { requests: 60_000, bytes: 300_000_000 }), openAi);
    const { requests, bytes, severities } = withStated(openAi, { requests: 100, bytes: 300_000_000 });
    deepEqual([requests, bytes, severities], [100, openAi.bytes, openAi.severities]);
    const smaller = withStated(mistral, { bytes: 1000 });
    deepEqual([smaller.requests, smaller.bytes], [mistral.requests, 1000]);
    deepEqual(
      [mistral, smaller].map((rules) => rules.severities['file.too-large']),
      ['off', 'warning'],
    );
    equal(withStated(unknownService, { requests: 5 }).severities['file.too-many-requests'], 'warning');
  });

  it('report no error for a file beyond the limits if it is submitted in parts', () => {
    const sizes = (rules: BatchRules) =>
      ['file.too-many-requests', 'file.too-large'].map((code) => rules.severities[code as ProblemCode]);
    deepEqual(sizes(withParts(batchServiceNamed('openai')!, {})), ['information', 'information']);
    deepEqual(sizes(withParts(batchServiceNamed('openrouter')!, {})), ['information', 'information']);
    // Only one of the limits is known, and no call creates a batch at Mistral.
    deepEqual(sizes(withParts(unknownService, { bytes: 5 })), ['off', 'information']);
    equal(withParts(batchServiceNamed('mistral')!, {}), batchServiceNamed('mistral'));
  });

  it('include at least one endpoint, and no limit of zero', () => {
    for (const { name, endpoints, requests, bytes, hours } of [...batchServices, unknownService]) {
      ok(endpoints.length > 0 && endpoints.every((one) => one.startsWith('/')), name);
      equal(new Set(endpoints).size, endpoints.length, name);
      ok((requests ?? 1) > 0 && (bytes ?? 1) > 0 && (hours?.least ?? 1) <= (hours?.most ?? 1), name);
    }
  });

  it('report errors at an unknown service only for unreadable files, IDs, and keys', () => {
    const severityOf = (code: string) =>
      unknownService.severities[code as ProblemCode] ?? defaultSeverities[code as ProblemCode];
    const errors = Object.keys(defaultSeverities).filter((code) => severityOf(code) === 'error');
    deepEqual(
      errors.filter((code) => !/^(file|line|custom-id)\./.test(code)),
      [],
    );
    ok(['line.not-json', 'line.secret', 'custom-id.duplicate', 'file.bom'].every((code) => errors.includes(code)));
    ok(['url.unknown', 'body.missing', 'member.missing', 'model.mixed'].every((code) => !errors.includes(code)));
  });
});
