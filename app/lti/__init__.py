"""Learning platforms such as Canvas, Moodle and Blackboard, through LTI 1.3 and LTI Advantage."""
