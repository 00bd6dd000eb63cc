/** Told at the end of each stage of an operation, in turn, for those who measure how long each takes. */
export type StageTimer<Stage extends string> = (stage: Stage) => void;

/** Starts to measure one operation. */
export type StartStageTimer<Stage extends string> = () => StageTimer<Stage>;

/** Gist, names and importance of the message · its vectors · on disk and in the indexes. */
export type IngestStage = 'reading' | 'embedding' | 'journal';

/** The question's words · its vector · its nearest vectors · what speaks for each candidate · fusion to context. */
export type RecallStage = 'reading' | 'embedding' | 'vector_search' | 'evidence' | 'scoring';
