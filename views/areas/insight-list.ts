/** The list of saved insights. */
export * as insightList from '#views/screens/insight-list/InsightList.tsx';
