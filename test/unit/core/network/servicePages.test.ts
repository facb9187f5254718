import { equal, match } from 'node:assert/strict';
import { knownServiceOf } from '../../../../src/core/profiles/knownServices';
import { publicHosts } from '../../../../src/core/profiles/publicHosts';
import { servicePage, type ServicePage } from '../../../../src/core/network/servicePages';

const pageAt = (baseUrl: string, page: ServicePage) => servicePage(knownServiceOf(baseUrl)?.id, page);

describe("a page of the service's console", () => {
  it('belongs to the host of the account', () => {
    for (const page of ['keys', 'credit', 'identity'] as const)
      match(pageAt(publicHosts.china, page) ?? '', /^https:\/\/cloud\.siliconflow\.cn\//);
    for (const page of ['keys', 'credit'] as const)
      match(pageAt(publicHosts.international, page) ?? '', /^https:\/\/cloud\.siliconflow\.com\//);
  });

  it('is absent for services without one and unknown services', () => {
    equal(pageAt(publicHosts.international, 'identity'), undefined);
    for (const baseUrl of ['http://localhost:11434/v1', 'https://api.example.com/v1', 'http://127.0.0.1:1/demo/v1'])
      equal(pageAt(baseUrl, 'keys'), undefined, baseUrl);
    for (const service of ['toString', '__proto__', '']) equal(servicePage(service, 'keys'), undefined, service);
  });
});
