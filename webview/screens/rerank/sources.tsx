import type { RerankSourceKind } from '../../../src/protocol/rerank';
import type { RerankStrings } from '../../../src/protocol/rerankStrings';
import { Icon } from '../../components/icon';
import type { IconName } from '../../components/iconNames';
import type { Rerank } from './rerankContext';

interface Source {
  readonly kind: RerankSourceKind;
  readonly icon: IconName;
  readonly name: string;
  readonly hint: string;
}

export function sourcesOf(strings: RerankStrings): readonly Source[] {
  return [
    { kind: 'selection', icon: 'list-selection', name: strings.sourceSelection, hint: strings.sourceSelectionHint },
    { kind: 'file', icon: 'file', name: strings.sourceFile, hint: strings.sourceFileHint },
    { kind: 'tabs', icon: 'multiple-windows', name: strings.sourceTabs, hint: strings.sourceTabsHint },
    { kind: 'files', icon: 'files', name: strings.sourceFiles, hint: strings.sourceFilesHint },
    { kind: 'search', icon: 'search', name: strings.sourceSearch, hint: strings.sourceSearchHint },
    { kind: 'problems', icon: 'warning', name: strings.sourceProblems, hint: strings.sourceProblemsHint },
    { kind: 'clipboard', icon: 'clippy', name: strings.sourceClipboard, hint: strings.sourceClipboardHint },
  ];
}

/** Shown until a source is chosen. */
export function Sources({ rerank: { session, strings } }: { readonly rerank: Rerank }) {
  return (
    <section class="rerank-sources" aria-labelledby="sources-heading">
      <h2 class="rerank-sources-title" id="sources-heading">
        {strings.chooseSource}
      </h2>
      <p class="rerank-muted">{strings.chooseSourceDetail}</p>
      <ul class="rerank-source-list">
        {sourcesOf(strings).map(({ kind, icon, name, hint }) => (
          <li key={kind}>
            <button type="button" class="rerank-source-button" onClick={() => void session.chooseSource(kind)}>
              <Icon name={icon} />
              <span class="rerank-source-name">{name}</span>
              <span class="rerank-source-hint">{hint}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
