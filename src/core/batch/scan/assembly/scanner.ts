export { prepare, read } from './cleanLine';
export { nextSecret } from './secrets';
