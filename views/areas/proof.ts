/** The question for a password before something that cannot be undone. */
export { ProofQuestion } from '../kit/ProofQuestion.tsx';
