import type { Currency } from '../../protocol/formats';
import { isLoopback, isSelfHosted } from './baseUrl';
import { publicHostOf, publicHosts } from './publicHosts';

/** Facts about a service that its URL alone identifies, before any request. */
export interface KnownService {
  readonly id:
    | 'siliconFlow'
    | 'siliconFlowChina'
    | 'demo'
    | 'openai'
    | 'anthropic'
    | 'openrouter'
    | 'ollama'
    | 'lmStudio'
    | 'llamaCpp'
    | 'vllm';
  /** A proper name, the same in every language. */
  readonly name: string;
  readonly baseUrl: string;
  /** `optional`: the operator of the server might have set one. */
  readonly key: 'required' | 'optional' | 'none';
  /** The header that carries the key. */
  readonly auth: KeyHeader;
  /** The currency of its balance and prices; absent for services that are free of charge, or not real. */
  readonly currency?: Currency;
}

/** `bearer`: `Authorization: Bearer …`. `x-api-key`: that header, together with `anthropic-version`. */
export type KeyHeader = 'bearer' | 'x-api-key';

export const knownServices: readonly KnownService[] = [
  {
    id: 'siliconFlow',
    name: 'SiliconFlow',
    baseUrl: publicHosts.international,
    key: 'required',
    auth: 'bearer',
    currency: 'USD',
  },
  {
    id: 'siliconFlowChina',
    name: 'SiliconFlow',
    baseUrl: publicHosts.china,
    key: 'required',
    auth: 'bearer',
    currency: 'CNY',
  },
  {
    id: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    key: 'required',
    auth: 'bearer',
    currency: 'USD',
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    key: 'required',
    auth: 'x-api-key',
    currency: 'USD',
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    key: 'required',
    auth: 'bearer',
    currency: 'USD',
  },
  { id: 'ollama', name: 'Ollama', baseUrl: 'http://localhost:11434/v1', key: 'none', auth: 'bearer' },
  { id: 'lmStudio', name: 'LM Studio', baseUrl: 'http://localhost:1234/v1', key: 'optional', auth: 'bearer' },
  { id: 'llamaCpp', name: 'llama.cpp', baseUrl: 'http://localhost:8080/v1', key: 'optional', auth: 'bearer' },
  { id: 'vllm', name: 'vLLM', baseUrl: 'http://localhost:8000/v1', key: 'optional', auth: 'bearer' },
];

/** The path by which addresses of the demo service differ from those of other servers on this machine. */
const demoPath = '/demo/v1';

/**
 * Returns the service at a URL: one on the internet by its origin, one on this machine by its usual port (where another program might
 * listen instead), or `undefined` for any other URL.
 */
export function knownServiceOf(baseUrl: string): KnownService | undefined {
  const url = URL.parse(baseUrl);
  if (!url) return undefined;
  if (isDemo(baseUrl)) {
    return { id: 'demo', name: 'Demo', baseUrl, key: 'required', auth: 'bearer' };
  }
  return knownServices.find((service) => {
    const known = new URL(service.baseUrl);
    if (!isLoopback(known.hostname)) return known.origin === url.origin;
    return isLoopback(url.hostname) && url.protocol === known.protocol && url.port === known.port;
  });
}

/** Returns the currency of the account at a URL, or `undefined` unless it is a known service with one currency. */
export function currencyOf(baseUrl: string | undefined): Currency | undefined {
  return baseUrl === undefined ? undefined : knownServiceOf(baseUrl)?.currency;
}

/** Whether the rules of the public service apply at a URL: at its own two hosts and at the demo service. */
export function isVendor(baseUrl: string): boolean {
  return publicHostOf(baseUrl) !== undefined || isDemo(baseUrl);
}

/** Whether an address is that of the demo service on this machine. */
export function isDemo(baseUrl: string): boolean {
  const url = URL.parse(baseUrl);
  return (
    url?.hostname === '127.0.0.1' && url.protocol === 'http:' && url.pathname.replace(/(?<!\/)\/+$/, '') === demoPath
  );
}

/** Whether calls to a service may cost money: not on this machine or in a private network, except for the demo, which simulates prices. */
export function hasPrices(baseUrl: string): boolean {
  return isDemo(baseUrl) || !isSelfHosted(baseUrl);
}

/** Whether calls without a known price are free: on this machine, in a private network, and at the demo, which lists no prices. */
export function isFreeUnpriced(baseUrl: string): boolean {
  return isDemo(baseUrl) || isSelfHosted(baseUrl);
}
