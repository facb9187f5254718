import { createUndiciStack } from '../../../../../src/core/api/transport/undiciTransport';
import { describeStack } from './stackConformance';

describeStack('undici stack', { create: createUndiciStack });
