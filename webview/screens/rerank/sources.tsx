import * as l10n from '@vscode/l10n';
import type { RerankSourceKind } from '../../../src/protocol/rerank';
import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';
import type { RerankSession } from './session';

interface Source {
  readonly kind: RerankSourceKind;
  readonly icon: IconName;
  readonly name: string;
  readonly hint?: string;
}

export function sources(): readonly Source[] {
  return [
    { kind: 'selection', icon: 'list-selection', name: l10n.t('Selection') },
    { kind: 'file', icon: 'file', name: l10n.t('Active file') },
    { kind: 'tabs', icon: 'multiple-windows', name: l10n.t('Open tabs') },
    { kind: 'files', icon: 'files', name: l10n.t('Files…') },
    {
      kind: 'search',
      icon: 'search',
      name: l10n.t('Text search…'),
      hint: l10n.t('Matches in your workspace'),
    },
    {
      kind: 'problems',
      icon: 'warning',
      name: l10n.t('Problems'),
      hint: l10n.t('Errors and warnings in your workspace'),
    },
    { kind: 'clipboard', icon: 'clippy', name: l10n.t('Clipboard') },
  ];
}

/** Shown until a source is chosen. */
export function Sources({ session }: { readonly session: RerankSession }) {
  return (
    <section class="rerank-sources" aria-labelledby="sources-heading">
      <h2 class="rerank-sources-title" id="sources-heading">
        {l10n.t('Select what to rank')}
      </h2>
      <p class="rerank-muted">
        {l10n.t(
          "A model scores how well each document matches your query. Your text isn't sent until you select Rerank.",
        )}
      </p>
      <ul class="rerank-source-list">
        {sources().map(({ kind, icon, name, hint }) => (
          <li key={kind}>
            <button type="button" class="rerank-source-button" onClick={() => void session.chooseSource(kind)}>
              <Icon name={icon} />
              <span class="rerank-source-name">{name}</span>
              {hint !== undefined && <span class="rerank-source-hint">{hint}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
