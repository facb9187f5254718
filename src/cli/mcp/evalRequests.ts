import { basename, dirname } from 'node:path';
import { evalProblem, toAgentEval } from '../../core/agentTools/agentEval';
import { AgentProblem } from '../../core/agentTools/agentTool';
import { withoutAddresses } from '../../core/agentTools/errorMessages';
import type { AgentEval, AgentEvalRequest } from '../../core/agentTools/toolHost';
import { batchEndpoints } from '../../core/api/errors';
import { chooseModel } from '../../core/catalogue/jobs';
import type { ChoosableModels } from '../../core/catalogue/jobs';
import { canRun, evalFacts, smokePlan } from '../../core/evals/evalFacts';
import type { PlannedEval, PriceBook } from '../../core/evals/evalFacts';
import { planEval, withModel } from '../../core/evals/evalPlan';
import type { GraderModels } from '../../core/evals/evalPlan';
import { mostRowBytes } from '../../core/evals/evalConfig';
import { openEvalFiles } from '../../core/evals/folderFiles';
import { readEval } from '../../core/evals/readEval';
import { AccountEvals, dueRequests, graderModels, sendDue } from '../../core/evals/run/evalJobs';
import { EvalRun, runFolderOf } from '../../core/evals/run/evalRun';
import { EvalRunFolder } from '../../core/evals/run/runFolder';
import { readManifest, readStoredRun, resultsIn } from '../../core/evals/run/storedRun';
import { isFreeUnpriced } from '../../core/profiles/knownServices';
import { rulesOf } from '../../core/profiles/vendorRules';
import { HeldElsewhere } from '../../core/storage/leases';
import { createLocalCall } from '../../core/usage/localCall';
import { isBelow } from '../../core/workspace/isBelow';
import type { BatchRequests } from './batchRequests';
import type { Connection } from './connection';
import type { Folders } from './folders';

const atOnce = 8;

/** Runs evals of files in the allowed folders. A run is a folder next to the eval file. */
export class EvalRequests {
  constructor(
    private readonly connection: Connection,
    private readonly batches: BatchRequests,
    private readonly models: (signal: AbortSignal) => Promise<ChoosableModels>,
  ) {}

  async run({ file, how }: AgentEvalRequest, folders: Folders, signal: AbortSignal): Promise<AgentEval> {
    if (how === 'batch' && this.connection.lacks(...batchEndpoints))
      throw new AgentProblem('This service does not support batches. Set "how" to "now", if the user agrees.');
    const { planned, models } = await this.planned(file, folders, signal);
    const plan = how === 'smokeTest' ? smokePlan(planned.plan) : planned.plan;
    const path = runFolderOf(planned.file);
    const service = this.serviceAt(path);
    const runFolder = await EvalRunFolder.open(path, service.origin).catch((error: unknown) => {
      if (!(error instanceof HeldElsewhere)) throw new AgentProblem(`The eval was not run. ${reasonOf(error)}`);
      throw new AgentProblem('The eval is already running. Call inferenceDesk_evalResults later.');
    });
    try {
      const run = new EvalRun(plan, runFolder, service, { prices: await this.prices(), ...models });
      await run.writeManifest(basename(planned.file));
      const choose = async () => (how === 'batch' ? ('batch' as const) : ('now' as const));
      const problem = await sendDue(run, runFolder, service, { choose, signal });
      signal.throwIfAborted();
      if (problem !== undefined)
        throw new AgentProblem(`Some requests of the eval were not sent. ${withoutAddresses(problem)}`);
    } finally {
      await runFolder.close();
    }
    return this.results(file, folders, signal);
  }

  async results(file: string, folders: Folders, signal: AbortSignal): Promise<AgentEval> {
    const { planned, models } = await this.planned(file, folders, signal);
    const folder = runFolderOf(planned.file);
    const service = this.serviceAt(folder);
    const prices = await this.prices();
    try {
      // Jobs of another service are none of this account, so its run is seen as it was left.
      const serviceAt = (origin = service.origin, isRunning: boolean) => ({
        ...service.viewed(isRunning, origin === service.origin),
        origin,
      });
      const run = await readStoredRun(planned.file, planned.plan, { folder, prices, serviceAt });
      const { requests } = await dueRequests(planned.plan, folder, service.viewed(false), { prices, ...models });
      return toAgentEval(planned, run, requests, prices);
    } catch (error) {
      throw new AgentProblem(`The results of the eval could not be read. ${reasonOf(error)}`);
    }
  }

  private async planned(
    file: string,
    folders: Folders,
    signal: AbortSignal,
  ): Promise<{ readonly planned: PlannedEval; readonly models: GraderModels }> {
    const path = await folders.file(file);
    const read = await folders.read(path, mostRowBytes);
    if (read === 'tooLarge') throw new AgentProblem(`${file} is too large for an eval file.`);
    const folder = dirname(path);
    const root = folders.list.find((one) => isBelow(one, path)) ?? folder;
    const files = await openEvalFiles(root, folder, folders.isSecret);
    const offered = await this.models(signal);
    const config = withModel(
      await readEval(path, new TextDecoder().decode(read.bytes), files),
      chooseModel('chat', offered),
    );
    const plan = planEval(config);
    if (!canRun(plan, config)) throw new AgentProblem(evalProblem(config));
    const before = await readManifest(runFolderOf(path));
    const models = graderModels(plan, offered, before === 'damaged' ? undefined : before);
    const facts = evalFacts(plan, await this.prices(), models);
    return { planned: { file: path, title: config.description ?? basename(path), plan, facts }, models };
  }

  private async prices(): Promise<PriceBook> {
    const { ofTokens, batchDiscount } = await this.connection.spending.readyPrices();
    return { pricesOf: ofTokens, batchDiscount, isFree: isFreeUnpriced(this.connection.baseUrl) };
  }

  private serviceAt(folder: string): AccountEvals {
    const { baseUrl, client, onError, jobs } = this.connection;
    const results = resultsIn(folder);
    return new AccountEvals({
      baseUrl,
      rules: rulesOf(baseUrl).batch,
      // The windows of the editor have the jobs too.
      by: jobs.storage === undefined ? 'server' : 'window',
      results,
      ...this.batches.ofEvals(results),
      call: createLocalCall(() => Promise.resolve(client)),
      concurrency: () => atOnce,
      onError,
    });
  }
}

function reasonOf(error: unknown): string {
  return withoutAddresses(error instanceof Error ? error.message : String(error));
}
