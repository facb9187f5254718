import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { AgentProblem } from '../../../core/agentTools/agentTool';
import type { AgentEval, EvalHow, ToolHost } from '../../../core/agentTools/toolHost';
import { dueDigest, evalProblem, toAgentEval } from '../../../core/agentTools/agentEval';
import { canRun, factLines, remainderText, smokePlan } from '../../../core/evals/evalFacts';
import type { PlannedEval } from '../../../core/evals/evalFacts';
import { runFolderOf } from '../../../core/evals/run/evalRun';
import { readStoredRun } from '../../../core/evals/run/storedRun';
import { currencyOf } from '../../../core/profiles/knownServices';
import { foreign } from '../../../core/text/foreignText';
import { listText } from '../../../protocol/formats';
import { lacksBatches } from '../../../services/batches/batches';
import type { Services } from '../../../services/services';
import type { ConfirmedRequest } from '../confirmations';
import type { WorkspaceFiles } from './workspaceFiles';

const mostModels = 5;

/** Evals of workspace files, as a window plans and runs them. */
export class WorkspaceEvals {
  constructor(
    private readonly services: Services,
    private readonly files: WorkspaceFiles,
  ) {}

  /** Runs evals. What is sent is what was confirmed, if a confirmation is passed. */
  tools(confirmed?: ConfirmedRequest) {
    return {
      runEval: async ({ file, how }, signal) => {
        if (how === 'batch' && lacksBatches(this.services.account.current))
          throw new AgentProblem('This service does not support batches. Set "how" to "now", if the user agrees.');
        const planned = await this.planned(file, how);
        const evals = await this.services.evals();
        // Before the run folder is created, and again once received responses are known.
        await confirmed?.check(undefined, dueDigest((await evals.due(planned)).requests));
        let isChecked = false;
        await evals.send(planned, {
          choose: async (next) => {
            // Grades follow the responses, and their price was confirmed with them.
            if (!isChecked) await confirmed?.check(undefined, dueDigest(next));
            isChecked = true;
            signal.throwIfAborted();
            return how === 'batch' ? 'batch' : 'now';
          },
          signal,
        });
        return this.results(file);
      },
      evalResults: (file) => this.results(file),
    } satisfies Partial<ToolHost>;
  }

  /** Returns the user's confirmation before a run, and the digest of what it would send. */
  async question(file: string, how: EvalHow): Promise<{ readonly facts: readonly string[]; readonly digest: string }> {
    const planned = await this.planned(file, how);
    const evals = await this.services.evals();
    const { requests } = await evals.due(planned);
    const { language } = vscode.env;
    const currency = currencyOf(this.services.account.current.baseUrl);
    const models = [...new Set(requests.map(({ body }) => body.model))];
    const shown = models.slice(0, mostModels).map((model) => foreign(model));
    const more = models.length - shown.length;
    const list = listText([...shown, more > 0 && l10n.t('{0} more', more)], language);
    return {
      facts: [
        ...factLines(planned.facts, currency, language),
        remainderText(requests, await evals.prices(), currency, language),
        ...(list === '' ? [] : [l10n.t('Models: {0}.', list)]),
        how === 'batch' ? l10n.t('The requests are submitted as batches.') : l10n.t('The requests are sent now.'),
      ],
      digest: dueDigest(requests),
    };
  }

  private async results(file: string): Promise<AgentEval> {
    const evals = await this.services.evals();
    const planned = await this.planned(file);
    const folder = runFolderOf(planned.file);
    const prices = await evals.prices();
    const serviceAt = await evals.viewer(folder, true);
    const run = await readStoredRun(planned.file, planned.plan, { folder, prices, serviceAt });
    const isSignedIn = this.services.account.current.baseUrl !== undefined;
    return toAgentEval(planned, run, isSignedIn ? (await evals.due(planned)).requests : [], prices);
  }

  private async planned(path: string, how?: EvalHow): Promise<PlannedEval> {
    const { uri, real } = await this.files.find(path);
    if (uri.scheme !== 'file')
      throw new AgentProblem(`"${path}" is not on the disk of this machine. Save a copy first.`);
    // The run is saved next to the file, which must not be elsewhere through a link.
    const isDirect = (await realpath(dirname(uri.fsPath))) === dirname(real.fsPath);
    const document = await vscode.workspace.openTextDocument(isDirect ? uri : real);
    const evals = await this.services.evals();
    const config = await evals.read(document);
    if (!canRun(await evals.planOf(config), config)) throw new AgentProblem(evalProblem(config));
    return evals.planned(document.uri.fsPath, config, how === 'smokeTest' ? smokePlan : undefined);
  }
}
