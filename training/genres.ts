// Which kind of writing each domain of the data belongs to, so that the two classes can be balanced inside a kind.

const GENRES: Record<string, string[]> = {
  essay: ["student_essay", "essay"],
  fiction: ["creative_story", "fiction", "l2r_LiteratureCreativeWriting"],
  news: [
    "news_reuters",
    "news_wikinews",
    "news_general",
    "news_magazine",
    "l2r_NewsArticle",
    "sports_news",
    "news",
    "sports",
  ],
  science: [
    "abstract_acl",
    "biomedical_abstract",
    "cs_abstract",
    "academic_fulltext",
    "biomedical_fulltext",
    "science_digest",
    "peer_review",
    "author_reply",
    "l2r_AcademicResearch",
  ],
  encyclopedia: [
    "encyclopedia_squad",
    "encyclopedia_lead",
    "encyclopedia_article",
    "sports_encyclopedia",
    "encyclopedia_qa",
    "travel",
    "l2r_TravelTourism",
    "l2r_ArtCulture",
  ],
  technical: ["tech_rfc_rust", "tech_eip", "technical_doc", "tech_blog", "l2r_TechnicalWriting"],
  answers: [
    "qa_eli5",
    "forum_answers",
    "forum_questions",
    "chat_instruction",
    "chat_general",
    "chat_wild",
    "chat_arena",
    "expert_qa",
    "medical_qa",
    "l2r_OnlineContent",
    "l2r_Finance",
    "recipe",
    "blog",
  ],
  formal: [
    "blog_digitalgov",
    "blog_18f",
    "government",
    "legal",
    "legal_statute",
    "speech",
    "parliament_speech",
    "l2r_Business",
    "l2r_Environmental",
  ],
  review: ["l2r_ProductReview", "review", "l2r_Entertainment"],
  textbook: ["textbook", "l2r_EducationMaterial"],
  personal: ["email", "letter", "personal", "interview"],
};

const byDomain = new Map(Object.entries(GENRES).flatMap(([genre, domains]) => domains.map((d) => [d, genre] as const)));

export function genreOf(domain: string): string {
  return byDomain.get(domain) ?? "other";
}
