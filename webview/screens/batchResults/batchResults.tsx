import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import type { BatchResultsScreen } from '../../../src/protocol/batchResults';
import { createAnnouncer } from '../../components/announcer';
import { listenToLinks } from '../../components/outsideLinks';
import type { Host } from '../../host';
import { codePressOf } from '../../markdown/codeBlocks';
import { CodeColours } from '../../markdown/codeColours';
import { createMarkdownRenderer } from '../../markdown/renderer';
import '../../components/tablePage.css';
import './batchResults.css';
import './phases.css';
import './resultsTable.css';
import type { Results } from './resultsContext';
import { ResultsPage } from './resultsPage';
import { ResultsSession } from './session';

export function mountBatchResults(root: HTMLElement, host: Host<BatchResultsScreen>): void {
  const page = document.createElement('main');
  page.className = 'table-page results';
  root.append(page);
  const announcer = createAnnouncer(root);
  const session = new ResultsSession(host, (text) => announcer.say(text));
  const results: Results = {
    session,
    announcer,
    renderer: createMarkdownRenderer(),
    colours: new CodeColours(),
  };
  render(<ResultsPage results={results} />, page);
  listenToLinks(page, (url) => void session.ask('results/openLink', { url }));
  page.addEventListener('click', ({ target }) => {
    const press = target instanceof Element ? codePressOf(target) : undefined;
    if (press?.name !== 'copy') return;
    void session.ask('results/copyText', { text: press.code });
    announcer.say(l10n.t('Copied'));
  });
  host.on('results/head', (head) => session.showHead(head));
  host.on('results/stale', () => void session.load(true));
  host.on('results/reveal', ({ row }) => void session.show(row));
  void session.start();
}
