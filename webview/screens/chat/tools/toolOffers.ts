import * as l10n from '@vscode/l10n';
import type { Offer } from '../../../../src/protocol/chatOffers';
import type { PageOffers } from '../attachments';
import { pageNumber } from '../../../components/pageLanguage';
import type { Tools } from './tools';

const all = 'tools';
const prefix = 'tool:';
const mostTools = 8;

/** Lists tools after `#`. Taking one offers it to the model; before anything is typed, one row opens the panel with all of them. */
export function toolOffers(tools: () => Tools): PageOffers {
  return {
    matching(query) {
      const { groups = [], offered = 0 } = tools().state.peek() ?? {};
      const rows = groups.flatMap((group) => group.tools);
      if (rows.length === 0) return [];
      if (query === '') {
        const detail = l10n.t('{0} of {1}', pageNumber(offered), pageNumber(rows.length));
        return [{ id: all, kind: 'tool', name: l10n.t('Tools…'), detail, group: l10n.t('Browse') }];
      }
      const folded = query.toLowerCase();
      return rows
        .filter(({ name, label }) => `${name} ${label}`.toLowerCase().includes(folded))
        .slice(0, mostTools)
        .map(({ id, name, label }): Offer => ({
          id: `${prefix}${id}`,
          kind: 'tool',
          name,
          detail: label === name ? '' : label,
          group: l10n.t('Tools'),
        }));
    },
    take({ id, kind }) {
      if (kind !== 'tool') return false;
      if (id === all) tools().open.value = true;
      else void tools().offer([id.slice(prefix.length)], true);
      return true;
    },
  };
}
