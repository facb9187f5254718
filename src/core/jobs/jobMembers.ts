import '../../schema/jitless';
import * as z from 'zod/mini';

const time = z.optional(z.number());

/** Schema of the members of every kind of job. */
export const jobMembers = {
  id: z.string(),
  profileId: z.string(),
  baseUrl: z.string(),
  createdAt: z.number(),
  stage: z.enum(['preparing', 'submitting', 'unknown', 'refused', 'queued', 'running', 'fetching', 'ended']),
  client: z.optional(z.string()),
  checkedAt: time,
  triedAt: time,
  changedAt: time,
  looks: time,
  failures: time,
  restMs: time,
  expiresAt: time,
  toldEndAt: time,
  toldDoubtAt: time,
  lastError: z.optional(z.looseObject({ kind: z.string(), message: z.string(), at: z.number() })),
};
