#include "subject.h"

const warpwright::Subject warpwright::subject = {"common", "", "common/tests"};
