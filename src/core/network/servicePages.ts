/** The tasks of an account's owner in a service's console. */
export type ServicePage = 'keys' | 'credit' | 'identity';

/**
 * https://docs.siliconflow.cn/cn/faqs/misc_finance (China), https://docs.siliconflow.com/en/userguide/quickstart (international, which
 * documents no identity verification), and the consoles of the other services.
 */
const pages: Readonly<Record<string, Readonly<Partial<Record<ServicePage, string>>>>> = {
  siliconFlow: {
    keys: 'https://cloud.siliconflow.com/account/ak',
    credit: 'https://cloud.siliconflow.com/expensebill',
  },
  siliconFlowChina: {
    keys: 'https://cloud.siliconflow.cn/account/ak',
    credit: 'https://cloud.siliconflow.cn/expensebill',
    identity: 'https://cloud.siliconflow.cn/account/authentication',
  },
  openai: {
    keys: 'https://platform.openai.com/api-keys',
    credit: 'https://platform.openai.com/settings/organization/billing/overview',
    identity: 'https://platform.openai.com/settings/organization/general',
  },
  anthropic: {
    keys: 'https://console.anthropic.com/settings/keys',
    credit: 'https://console.anthropic.com/settings/billing',
  },
  openrouter: {
    keys: 'https://openrouter.ai/settings/keys',
    credit: 'https://openrouter.ai/settings/credits',
  },
};

/** Returns the URL of a page in the console of a known service, by the service's id; `undefined` if there is none. */
export function servicePage(service: string | undefined, page: ServicePage): string | undefined {
  return service !== undefined && Object.hasOwn(pages, service) ? pages[service]?.[page] : undefined;
}
