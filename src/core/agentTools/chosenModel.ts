import { chooseModel } from '../catalogue/jobs';
import type { ModelJob } from '../catalogue/jobs';
import type { ToolHost } from './toolHost';
import { AgentProblem } from './agentTool';

const jobWords: Partial<Record<ModelJob, string>> = {
  rerank: 'ranks documents',
  image: 'makes pictures',
  video: 'makes videos',
};

/** Returns the named model, else the person's choice for the job, else the first that fits. Throws `AgentProblem` if none does. */
export async function chosenModel(
  job: ModelJob,
  named: string | undefined,
  host: ToolHost,
  signal: AbortSignal,
): Promise<string> {
  if (named !== undefined) return named;
  const model = chooseModel(job, await host.models(signal));
  if (model !== undefined) return model;
  throw new AgentProblem(`The account has no model that ${jobWords[job] ?? `does this (${job})`}. Do not try again.`);
}
