import { isVendor, knownServiceOf } from '../../profiles/knownServices';
import type { BatchRules, BatchServiceId, BatchLimits } from './batchRules';
import { batchServices, siliconFlow, unknownService } from './batchServices';

/** The hosts of each service; all hosts below those that begin with a dot. Servers on this machine are found by their usual port. */
const hosts: Readonly<Partial<Record<BatchServiceId, readonly string[]>>> = {
  openAi: ['api.openai.com', '.api.openai.com'],
  azure: ['.openai.azure.com', '.openai.azure.us', '.services.ai.azure.com', '.cognitiveservices.azure.com'],
  anthropic: ['api.anthropic.com'],
  openRouter: ['openrouter.ai'],
  zhiPu: ['open.bigmodel.cn', 'api.z.ai'],
  dashScope: ['.dashscope.aliyuncs.com', '.maas.aliyuncs.com'],
  together: ['api.together.xyz', 'api.together.ai'],
  groq: ['api.groq.com'],
  mistral: ['api.mistral.ai'],
  fireworks: ['api.fireworks.ai'],
};
/** The hosts of DashScope's regions, such as `dashscope-intl`. */
const dashScopeHost = /^dashscope(-[a-z]+)?\.aliyuncs\.com$/;

/** Returns the rules of the service at a base URL; those of SiliconFlow while no account is signed in. */
export function batchServiceOf(baseUrl: string | undefined): BatchRules {
  if (baseUrl === undefined || isVendor(baseUrl)) return siliconFlow;
  const host = URL.parse(baseUrl)?.hostname ?? '';
  const isOf = (known: string) => (known.startsWith('.') ? host.endsWith(known) : host === known);
  const [id] = Object.entries(hosts).find(([, names]) => names.some(isOf)) ?? [];
  if (id !== undefined) return serviceWith(id);
  if (dashScopeHost.test(host)) return serviceWith('dashScope');
  return knownServiceOf(baseUrl)?.id === 'vllm' ? serviceWith('vllm') : unknownService;
}

/** Returns rules with the limits that a service stated when it rejected a batch: they may be lower than those that are documented. */
export function withStated(rules: BatchRules, { requests, bytes }: BatchLimits): BatchRules {
  const isLower = (stated: number | undefined, most = Infinity) => stated !== undefined && stated < most;
  const fewer = isLower(requests, rules.requests) && { requests };
  const smaller = isLower(bytes, rules.bytes) && { bytes };
  if (!fewer && !smaller) return rules;
  const severityOf = (code: 'file.too-many-requests' | 'file.too-large') => {
    const severity = rules.severities[code];
    return { [code]: severity === 'off' ? 'warning' : severity };
  };
  const severities = {
    ...rules.severities,
    ...(fewer && severityOf('file.too-many-requests')),
    ...(smaller && severityOf('file.too-large')),
  };
  return { ...rules, ...fewer, ...smaller, severities };
}

/** The same for whoever submits a file beyond the limits in parts, which is possible where batches are created by a call. */
export function withParts(rules: BatchRules, stated: BatchLimits): BatchRules {
  const found = withStated(rules, stated);
  if (found.form === 'none') return found;
  const weighed = (code: 'file.too-many-requests' | 'file.too-large') =>
    found.severities[code] === 'off' ? {} : { [code]: 'information' as const };
  const severities = { ...found.severities, ...weighed('file.too-many-requests'), ...weighed('file.too-large') };
  return { ...found, isSplit: true, severities };
}

/** Returns the rules of the service with an id or a name, in any case and without spaces; `undefined` if there is none. */
export function batchServiceNamed(name: string): BatchRules | undefined {
  const plain = plainName(name);
  if (plain === unknownService.id) return unknownService;
  return batchServices.find((service) => [service.id, service.name].some((one) => plainName(one) === plain));
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

function serviceWith(id: string): BatchRules {
  return batchServices.find((service) => service.id === id) ?? unknownService;
}
